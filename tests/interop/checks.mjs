// Reads every checks.json that a run of the official suite wrote, and fails on what nobody allowed.
//
// Usage: checks.mjs RUN SCENARIOS RESULTS_FOLDER ALLOWED_FILE, where SCENARIOS is how many there must be
//
// The suite prints no warnings, counts no skipped checks, and does not score all of its scenarios. This does.

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'

const PASSED = ['SUCCESS', 'INFO']

const [run, wanted, folder, allowedFile] = process.argv.slice(2)
const allowed = allowances(readFileSync(allowedFile, 'utf8'))
const scenarios = readScenarios(folder)
let failed = scenarios.length !== Number(wanted)
if (failed) console.log(`FAIL ${run}: results of ${scenarios.length} scenarios instead of ${wanted}`)

for (const { name, checks } of scenarios) {
  const unhappy = checks.filter((check) => !PASSED.includes(check.status))
  const faults = unhappy.filter((check) => !isAllowed(name, check))
  for (const check of unhappy) console.log(line(name, check, faults.includes(check)))
  if (checks.length === 0) console.log(`FAIL ${name}: no checks`)
  else if (unhappy.length === 0) console.log(`ok ${name} (${checks.length} checks)`)
  failed ||= faults.length > 0 || checks.length === 0
}

for (const allowance of allowed.filter((it) => !it.used)) {
  console.log(`FAIL ${allowance.scenario} ${allowance.check}: allowed for nothing, take the line out of ${allowedFile}`)
  failed = true
}
process.exit(failed ? 1 : 0)

/** The lines for this run: who may report which status, and why. */
function allowances(text) {
  return text
    .split('\n')
    .filter((it) => it.trim() && !it.startsWith('#'))
    .map((it) => it.trim().split(/\s+/))
    .filter(([runs]) => matchesGlob(run, runs))
    .map(([, scenario, check, statuses, ...reason]) => {
      return { scenario, check, statuses: statuses.split(','), reason: reason.join(' '), used: false }
    })
}

function isAllowed(scenario, check) {
  const allowance = allowanceFor(scenario, check)
  if (allowance) allowance.used = true
  return Boolean(allowance)
}

function allowanceFor(scenario, check) {
  return allowed.find(
    (it) =>
      matchesGlob(scenario, it.scenario) && matchesGlob(check.id, it.check) && it.statuses.includes(check.status),
  )
}

function line(scenario, check, isFault) {
  const what = `${scenario} ${check.id}: ${check.status}`
  if (!isFault) return `skip ${what}, allowed: ${allowanceFor(scenario, check).reason}`
  return `FAIL ${what} ${check.errorMessage ?? check.description ?? ''}`.replace(/\s+/g, ' ')
}

/** Every scenario of the run; its folder is named server-SCENARIO-TIMESTAMP. */
function readScenarios(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('checks.json'))
    .toSorted()
    .map((path) => ({
      name: dirname(path).replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''),
      checks: JSON.parse(readFileSync(join(folder, path), 'utf8')),
    }))
}
