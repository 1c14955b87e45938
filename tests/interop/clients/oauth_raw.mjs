// Requests of OAuth and of MCP as no SDK would send them.

import { createHash, randomBytes } from 'node:crypto'
import { ISSUER, NOTES, REDIRECT, clientId } from './oauth_user.mjs'

/** A request to be allowed something, as no SDK would change it. */
export function request(changes = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${ISSUER}/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId('raw'),
    redirect_uri: REDIRECT,
    state: 'raw',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: NOTES,
    scope: 'notes:read notes:write',
    ...changes,
  })
  return { url, verifier }
}

/** Shows a code to the token endpoint. */
export async function redeem(code, verifier, changes = {}) {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    client_id: clientId('raw'),
    code_verifier: verifier,
    resource: NOTES,
    ...changes,
  }
  const response = await fetch(`${ISSUER}/token`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, ...(await response.json()) }
}

/** A whole answer to a call with a token, as bytes and challenge. */
export async function callWith(token, name, args) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: args, _meta: meta }
  const response = await fetch(NOTES, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return { status: response.status, challenge: response.headers.get('www-authenticate'), text: await response.text() }
}
