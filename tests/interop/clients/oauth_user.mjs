// What a client keeps for its user between the steps of OAuth, and the user's browser.

import { randomBytes } from 'node:crypto'
import { expect, expectEqual } from './steps.mjs'

export const NOTES = process.env.NOTES_URL
export const ISSUER = process.env.AUTHORIZATION_URL
/** A server that tokens are made for as well. */
export const OTHER = process.env.OTHER_URL
export const REDIRECT = 'http://127.0.0.1/callback'

/** An `OAuthClientProvider` of either SDK. */
export class User {
  /** What went over the network, in order. */
  exchanges = []
  clientMetadata = {
    client_name: 'Interop',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
  }
  redirectUrl = REDIRECT

  /** `client` is the name of the client's own document. */
  constructor(name, client) {
    this.name = name
    this.clientMetadataUrl = clientId(client)
  }

  state() {
    return (this.stateSent = randomBytes(16).toString('hex'))
  }

  clientInformation() {
    return this.client
  }

  saveClientInformation(client) {
    this.client = client
  }

  tokens() {
    return this.saved
  }

  saveTokens(tokens) {
    this.saved = tokens
  }

  codeVerifier() {
    return this.verifier
  }

  saveCodeVerifier(verifier) {
    this.verifier = verifier
  }

  discoveryState() {
    return this.discovered
  }

  saveDiscoveryState(state) {
    this.discovered = state
  }

  redirectToAuthorization(url) {
    this.sentTo = url
  }

  /** The user logs in and allows these scopes. Returns what the client is then told. */
  async allow(scopes) {
    const answer = await visit(this.sentTo, { login: this.name, allow: scopes })
    expectEqual(answer.get('state'), this.stateSent)
    expectEqual(answer.get('iss'), ISSUER)
    return answer
  }

  /** `fetch`, written down. */
  fetch = async (input, init) => {
    const response = await fetch(input, init)
    this.exchanges.push({
      what: `${init?.method ?? 'GET'} ${input}`,
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
    })
    return response
  }

  /** The last exchange of this kind. */
  saw(what, status) {
    const found = this.exchanges.findLast((it) => it.what === what && it.status === status)
    expect(found, this.exchanges)
    return found
  }

  /** Header and claims of the token that it has now. */
  get token() {
    const [header, claims] = this.saved.access_token.split('.').slice(0, 2)
    return [header, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url')))
  }
}

export function clientId(name) {
  return `${process.env.CLIENTS_URL}/${name}.json`
}

/** Opens an authorization URL as a user's browser does, and returns what it brings back to the client. */
export async function visit(url, { login, allow }) {
  const page = new URL(url)
  page.searchParams.append('login', login)
  page.searchParams.append('allow', allow)
  const response = await fetch(page, { redirect: 'manual' })
  expectEqual(response.status, 302)
  const back = new URL(response.headers.get('location'))
  expectEqual(back.origin + back.pathname, REDIRECT)
  return back.searchParams
}

/** What the authorization server has done for a client, by its own account. */
export async function journal(client) {
  const entries = await (await fetch(`${ISSUER}/journal`)).json()
  return entries.filter((it) => it.client === clientId(client))
}

/** A set of scopes, whatever their order. */
export function scopes(text) {
  return text.split(' ').toSorted()
}
