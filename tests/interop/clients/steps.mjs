// Runs the steps of a check and prints one line for each.

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual, inspect } from 'node:util'

const SECONDS_PER_STEP = 10

/** The steps of one check: which passed, which failed, and which this client cannot do. */
export class Steps {
  failed = false
  #skips = JSON.parse(readFileSync(new URL('skips.json', import.meta.url), 'utf8'))

  /** `where` is what the table of skips is searched with: client, mode, era, over. */
  constructor(where) {
    this.where = where
  }

  /** Runs every step of a walk, an object of named functions, in order. */
  async runAll(walk) {
    for (const [name, body] of Object.entries(walk)) await this.run(name, body)
  }

  async run(name, body) {
    const reason = this.#reasonToSkip(name)
    if (reason) return console.log(`skip ${name}: ${reason}`)
    try {
      await within(SECONDS_PER_STEP, body())
      console.log(`ok ${name}`)
    } catch (error) {
      this.fail(name, error)
    }
  }

  fail(name, error) {
    this.failed = true
    console.log(`FAIL ${name}: ${String(error).replace(/\s+/g, ' ')}`)
    console.log(inspect(error))
  }

  #reasonToSkip(name) {
    const applies = (when) => Object.entries(when).every(([key, value]) => this.where[key] === value)
    return this.#skips.find((skip) => skip.steps.includes(name) && applies(skip.when))?.reason
  }
}

/** Fails the step, showing what was seen, unless `truth` holds. */
export function expect(truth, seen) {
  if (!truth) throw new Error(`not as expected: ${shown(seen)}`)
}

export function expectEqual(seen, wanted) {
  if (!isDeepStrictEqual(seen, wanted)) throw new Error(`saw ${shown(seen)}, wanted ${shown(wanted)}`)
}

function shown(value) {
  return (JSON.stringify(value) ?? String(value)).slice(0, 600)
}

async function within(seconds, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
