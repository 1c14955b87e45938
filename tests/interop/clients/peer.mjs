// A TypeScript client connected to one of our servers, whatever its generation.

import { join } from 'node:path'
import { filledIn } from './forms.mjs'
import { expect, expectEqual } from './steps.mjs'

const SECONDS_TO_CLOSE = 1.5

/** The extension that tells whether tools are ready. */
export const REQUIRED_TOOLS = 'app.mcpproxy/required-tools'

/**
 * The client, and what the server has sent to it. A generation of the SDK adds `connect`, which sets
 * `client` and `transport`, and the few methods whose names or arguments differ between generations.
 */
export class Peer {
  action = 'accept'
  asked = []
  forms = []
  logs = []
  notified = []
  complaints = []

  /** `mute` leaves out everything that a server could ask this client for. */
  constructor({ server, over, revision, mute = false }) {
    Object.assign(this, { server, over, revision, mute, modern: revision >= '2026' })
  }

  get url() {
    return new URL(process.env[`${this.server.toUpperCase()}_URL`])
  }

  get command() {
    return { command: join(process.env.SERVERS, this.server), args: ['--stdio'] }
  }

  get capabilities() {
    // The extension is declared where its era has extensions.
    const declared = { [REQUIRED_TOOLS]: { version: 1 } }
    const asking = this.modern ? { extensions: declared } : { experimental: declared }
    return this.mute ? {} : { elicitation: {}, sampling: {}, roots: {}, ...asking }
  }

  elicit(params) {
    this.asked.push('elicitation')
    this.forms.push(params.requestedSchema)
    return this.action === 'accept'
      ? { action: 'accept', content: filledIn(params.requestedSchema) }
      : { action: this.action }
  }

  sample() {
    this.asked.push('sampling')
    return { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'interop' }
  }

  roots() {
    this.asked.push('roots')
    return { roots: [{ uri: 'file:///interop', name: 'interop' }] }
  }

  /**
   * Over stdio these SDKs drop a progress notification that arrives in one read with the result: they handle
   * results at once and notifications a moment later, when they have forgotten the token.
   */
  get losesLastProgress() {
    return this.over === 'stdio'
  }

  complain(error) {
    const isLostProgress = this.losesLastProgress && String(error).includes('progress notification for an unknown token')
    if (!this.leaving && !isLostProgress) this.complaints.push(String(error))
  }

  async call(name, args, options) {
    const result = await this.callTool({ name, arguments: args }, options)
    expect(!result.isError, result)
    return result
  }

  async textOf(name, args) {
    const { text } = (await this.call(name, args)).content[0]
    expect(text, 'an empty text')
    return text
  }

  /** Calls a tool, checks that it asked us for exactly these, and returns its text. */
  async asks(name, kinds, args) {
    this.asked = []
    const text = await this.textOf(name, args)
    expectEqual(this.asked.toSorted(), kinds.toSorted())
    return text
  }

  /** Waits until the server has sent so many notifications. */
  async isNotified(count) {
    while (this.notified.length < count) await pause(0.02)
    // Two changes in a row may be told once or twice.
    return [...new Set(this.notified)]
  }

  /** The client deletes the session, and the session is gone. */
  async endsSession() {
    this.leaving = true
    const session = this.transport.sessionId
    expect(session, 'no session id')
    await this.transport.terminateSession()

    const again = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
        'mcp-protocol-version': this.revision,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expectEqual(again.status, 404)
  }

  /** The client closes at once and the SDK had no complaint about the server. */
  async closes() {
    this.leaving = true
    const began = performance.now()
    await this.client.close()
    const seconds = (performance.now() - began) / 1000
    expectEqual(this.complaints, [])
    expect(seconds < SECONDS_TO_CLOSE, `closing took ${seconds.toFixed(1)} s`)
  }
}

export function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
