// Talks to the servers with the TypeScript SDK of both eras, @modelcontextprotocol/client.
//
// Usage: client.mjs auto|pinned|legacy http|stdio

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Peer } from './peer.mjs'
import { Steps } from './steps.mjs'
import { walkAll } from './walks.mjs'

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const NEGOTIATION = { auto: 'auto', pinned: { pin: MODERN }, legacy: 'legacy' }

class ClientPeer extends Peer {
  async connect() {
    const { mode, capabilities } = this
    this.client = new Client(
      { name: 'interop', version: '1' },
      { capabilities, versionNegotiation: { mode: NEGOTIATION[mode] } },
    )
    this.client.onerror = (error) => this.complain(error)
    if (!this.mute) this.#answer()
    this.#note()
    this.transport =
      this.over === 'http' ? new StreamableHTTPClientTransport(this.url) : new StdioClientTransport(this.command)
    await this.client.connect(this.transport)
  }

  #answer() {
    this.client.setRequestHandler('elicitation/create', ({ params }) => this.elicit(params))
    this.client.setRequestHandler('sampling/createMessage', () => this.sample())
    this.client.setRequestHandler('roots/list', () => this.roots())
  }

  #note() {
    this.client.setNotificationHandler('notifications/message', ({ params }) => void this.logs.push(params))
    for (const method of ['notifications/tools/list_changed', 'notifications/prompts/list_changed']) {
      this.client.setNotificationHandler(method, () => void this.notified.push(method))
    }
  }

  negotiated() {
    return this.client.getNegotiatedProtocolVersion()
  }

  callTool(params, options) {
    return this.client.callTool(params, options)
  }
}

const [mode, over] = process.argv.slice(2)
const era = mode === 'legacy' ? 'legacy' : 'modern'
const revision = era === 'modern' ? MODERN : LEGACY
const steps = new Steps({ client: 'client', mode, era, over })
const well = await walkAll(steps, (options) => Object.assign(new ClientPeer({ ...options, over, revision }), { mode }))
process.exit(well ? 0 : 1)
