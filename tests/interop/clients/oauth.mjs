// Lets the TypeScript SDKs find out by themselves how to be allowed to use `notes`.
//
// Usage: oauth.mjs client auto|pinned|legacy, or oauth.mjs sdk

import { callWith, redeem, request } from './oauth_raw.mjs'
import { ISSUER, NOTES, OTHER, User, clientId, journal, scopes, visit } from './oauth_user.mjs'
import { Steps, expect, expectEqual } from './steps.mjs'

const READ = 'notes:read'
const WRITE = 'notes:write'
const BOTH = `${READ} ${WRITE}`
const METADATA = NOTES.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')

const [generation, mode = 'legacy'] = process.argv.slice(2)
const sdks = {
  client: () => import('@modelcontextprotocol/client'),
  sdk: async () => ({
    ...(await import('@modelcontextprotocol/sdk/client/index.js')),
    ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
    ...(await import('@modelcontextprotocol/sdk/client/auth.js')),
  }),
}
/** Each check is a client of its own. */
const name = `${generation}-${mode}`
const NEGOTIATION = { auto: 'auto', pinned: { pin: '2026-07-28' }, legacy: 'legacy' }
const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await sdks[generation]()

/** A user of `notes` with a client of their own. */
class Reader {
  constructor(user) {
    this.user = new User(user, name)
  }

  async connect() {
    this.client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode: NEGOTIATION[mode] } })
    const { user } = this
    this.transport = new StreamableHTTPClientTransport(new URL(NOTES), { authProvider: user, fetch: user.fetch })
    await this.client.connect(this.transport)
  }

  /** Fails as a client does that has sent its user to the authorization server. */
  async isSentAway(doing) {
    this.user.sentTo = undefined
    const error = await doing.then(() => 'it went well', (it) => it)
    expect(error instanceof UnauthorizedError && this.user.sentTo, String(error))
    return this.user.sentTo.searchParams
  }

  /** The user allows these scopes, and the client gets its token. */
  async isAllowed(scopes) {
    const answer = await this.user.allow(scopes)
    await this.transport.finishAuth(generation === 'client' ? answer : answer.get('code'))
  }

  /** Asks for what the server needs, all of it allowed, until there is nothing more to ask for. */
  async insists(name, args) {
    for (let round = 0; round < 3; round++) {
      try {
        return await this.call(name, args)
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
        await this.isAllowed(BOTH)
      }
    }
    throw new Error(`${name} never has what it needs`)
  }

  async call(name, args) {
    const result = await this.client.callTool({ name, arguments: args })
    expect(!result.isError, result)
    return result.content[0]?.text
  }
}

const steps = new Steps({ client: generation, mode, era: mode === 'legacy' ? 'legacy' : 'modern', over: 'http' })
const ann = new Reader('ann')
const bob = new Reader('bob')
let note

await steps.runAll({
  'is-refused-without-a-token': async () => {
    ann.asked = await ann.isSentAway(ann.connect())
    const { challenge } = ann.user.saw(`POST ${NOTES}`, 401)
    const [, metadata, wanted] = challenge.match(/^Bearer resource_metadata="(.*)", scope="(.*)"$/)
    expectEqual([metadata, scopes(wanted)], [METADATA, scopes(BOTH)])
  },
  'finds-the-authorization-server': async () => {
    ann.user.saw(`GET ${METADATA}`, 200)
    ann.user.saw(`GET ${ISSUER}/.well-known/oauth-authorization-server`, 200)
    expectEqual(ann.user.sentTo.origin + ann.user.sentTo.pathname, `${ISSUER}/authorize`)
  },
  'is-known-by-its-own-document': async () => {
    expectEqual(ann.user.client.client_id, clientId(name))
    expectEqual(ann.asked.get('client_id'), clientId(name))
    expect(!ann.user.exchanges.some((it) => it.what.includes('register')), ann.user.exchanges)
  },
  'asks-for-this-server-with-pkce': async () => {
    expectEqual(ann.asked.get('resource'), NOTES)
    expectEqual(ann.asked.get('code_challenge_method'), 'S256')
    expectEqual(scopes(ann.asked.get('scope')), scopes(BOTH))
  },
  'gets-a-token-for-what-the-user-allows': async () => {
    await ann.isAllowed(READ)
    const [header, claims] = ann.user.token
    expectEqual([header.alg, header.typ], ['ES256', 'at+jwt'])
    expectEqual([claims.iss, claims.aud, claims.sub, claims.scope], [ISSUER, NOTES, 'ann', READ])
  },
  'is-in-the-journal-of-the-authorization-server': async () => {
    const told = await journal(name)
    expectEqual(told.map((it) => it.step), ['document', 'authorize', 'token'])
    const [, asking, getting] = told.map(({ step, ...rest }) => rest)
    const same = { client: clientId(name), user: 'ann', resource: NOTES, granted: READ }
    expectEqual(asking, { ...same, method: 'S256', asked: ann.asked.get('scope') })
    expectEqual(getting, same)
  },
  'reads-with-it': async () => {
    await ann.connect()
    await ann.call('list_notes', {})
    const names = (await ann.client.listTools()).tools.map((it) => it.name)
    expectEqual(names.toSorted(), ['list_notes', 'read_note'])
  },
  'is-told-which-scopes-it-lacks': async () => {
    ann.asked = await ann.isSentAway(ann.call('start_note', { title: 'Shopping' }))
    const { challenge } = ann.user.saw(`POST ${NOTES}`, 403)
    expect(challenge.includes('error="insufficient_scope"') && challenge.endsWith(`scope="${WRITE}"`), challenge)
    expect(challenge.includes(`resource_metadata="${METADATA}"`), challenge)
  },
  'asks-for-more-and-keeps-what-it-has': async () => {
    expectEqual(scopes(ann.asked.get('scope')), scopes(BOTH))
  },
  'writes-with-the-wider-token': async () => {
    await ann.isAllowed(BOTH)
    expect(ann.user.token[1].scope.includes(WRITE), ann.user.token)
    note = await ann.call('start_note', { title: 'Shopping' })
    await ann.call('append_to_note', { note, text: 'Milk' })
  },
  'reads-what-it-wrote': async () => {
    expect((await ann.insists('read_note', { note })).includes('Milk'), 'no milk')
    expect((await ann.insists('list_notes', {})).includes(note), 'no note')
  },
  'keeps-notes-from-others': async () => {
    await bob.isSentAway(bob.connect())
    await bob.isAllowed(BOTH)
    await bob.connect()
    const { access_token: token } = bob.user.tokens()
    const hers = await callWith(token, 'read_note', { note })
    const nobodys = await callWith(token, 'read_note', { note: `note_${'0'.repeat(26)}` })
    expectEqual(hers, nobodys)
    expect(hers.status === 200 && hers.text.includes('"isError":true'), hers)
    const result = await bob.client.callTool({ name: 'read_note', arguments: { note } })
    expect(result.isError && !JSON.stringify(result).includes('Milk'), result)
  },
  'takes-no-token-for-another-server': async () => {
    const { url, verifier } = request({ resource: OTHER })
    const answer = await visit(url, { login: 'ann', allow: BOTH })
    const { access_token: token } = await redeem(answer.get('code'), verifier, { resource: OTHER })
    const { status, challenge } = await callWith(token, 'list_notes', {})
    expectEqual(status, 401)
    expect(challenge.includes('error="invalid_token"'), challenge)
  },
  'closes': async () => {
    await ann.client.close()
    await bob.client.close()
  },
})
process.exit(steps.failed ? 1 : 0)
