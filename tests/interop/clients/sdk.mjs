// Talks to the servers with TypeScript SDKs from the time of each older revision.
//
// Usage: sdk.mjs 2025-11-25|2025-06-18|2025-03-26 http|stdio

import { Peer } from './peer.mjs'
import { Steps } from './steps.mjs'
import { walkAll } from './walks.mjs'

const PACKAGES = {
  '2025-11-25': '@modelcontextprotocol/sdk',
  '2025-06-18': 'sdk-2025-06-18',
  '2025-03-26': 'sdk-2025-03-26',
}

const [revision, over] = process.argv.slice(2)
const part = (path) => import(`${PACKAGES[revision]}/${path}`)
const { Client } = await part('client/index.js')
const { StreamableHTTPClientTransport } = await part('client/streamableHttp.js')
const { StdioClientTransport } = await part('client/stdio.js')
const messages = await part('types.js')

class SdkPeer extends Peer {
  async connect() {
    this.client = new Client({ name: 'interop', version: '1' }, { capabilities: this.capabilities })
    this.client.onerror = (error) => this.complain(error)
    if (!this.mute) this.#answer()
    this.client.setNotificationHandler(messages.LoggingMessageNotificationSchema, ({ params }) => {
      this.logs.push(params)
    })
    this.transport =
      over === 'http' ? new StreamableHTTPClientTransport(this.url) : new StdioClientTransport(this.command)
    this.#hearNegotiation()
    await this.client.connect(this.transport)
  }

  /** What this SDK could say when it was published. */
  get capabilities() {
    const { elicitation, ...older } = super.capabilities
    return messages.ElicitRequestSchema ? super.capabilities : older
  }

  #answer() {
    const { client } = this
    if (messages.ElicitRequestSchema) {
      client.setRequestHandler(messages.ElicitRequestSchema, ({ params }) => this.elicit(params))
    }
    client.setRequestHandler(messages.CreateMessageRequestSchema, () => this.sample())
    client.setRequestHandler(messages.ListRootsRequestSchema, () => this.roots())
  }

  /** These clients tell nobody which revision was agreed on, so it is read from the answer to initialize. */
  #hearNegotiation() {
    const request = this.client.request.bind(this.client)
    this.client.request = async (...args) => {
      const result = await request(...args)
      this.revisionAgreed ??= result.protocolVersion
      return result
    }
  }

  negotiated() {
    return this.revisionAgreed
  }

  callTool(params, options) {
    return this.client.callTool(params, undefined, options)
  }
}

const steps = new Steps({ client: `sdk-${revision}`, era: 'legacy', over })
const well = await walkAll(steps, (options) => new SdkPeer({ ...options, over, revision }))
process.exit(well ? 0 : 1)
