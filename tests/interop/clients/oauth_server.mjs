// Holds the authorization server of these checks to its own rules, so that a client which passes it has done its part.

import { redeem, request } from './oauth_raw.mjs'
import { ISSUER, clientId, scopes, visit } from './oauth_user.mjs'
import { Steps, expect, expectEqual } from './steps.mjs'

const ANN = { login: 'ann', allow: 'notes:read notes:write' }

/** What it says to a request that it does not send back to a client. */
async function refusal(changes) {
  const response = await fetch(request(changes).url, { redirect: 'manual' })
  expectEqual([response.status, response.headers.get('location')], [400, null])
  return (await response.json()).error
}

async function code() {
  const { url, verifier } = request()
  return [(await visit(url, ANN)).get('code'), verifier]
}

const steps = new Steps({ client: 'raw' })
await steps.runAll({
  'says-what-it-can-do': async () => {
    const document = await (await fetch(`${ISSUER}/.well-known/oauth-authorization-server`)).json()
    expectEqual(document.issuer, ISSUER)
    expectEqual(document.code_challenge_methods_supported, ['S256'])
    expect(document.client_id_metadata_document_supported, document)
    expect(document.authorization_response_iss_parameter_supported, document)
    expect(!('registration_endpoint' in document), document)
  },
  'gives-a-token-for-a-code-once': async () => {
    const [it, verifier] = await code()
    const first = await redeem(it, verifier)
    expectEqual([first.status, first.token_type, scopes(first.scope)], [200, 'Bearer', scopes(ANN.allow)])
    const second = await redeem(it, verifier)
    expectEqual([second.status, second.error], [400, 'invalid_grant'])
  },
  'wants-the-verifier': async () => {
    const [it, verifier] = await code()
    expectEqual((await redeem(it, verifier.replace(/^./, (it) => (it === 'a' ? 'b' : 'a')))).error, 'invalid_grant')
    expectEqual((await redeem(it, verifier)).error, 'invalid_grant')
  },
  'wants-the-client-and-its-redirect': async () => {
    for (const changes of [{ client_id: clientId('other') }, { redirect_uri: 'http://127.0.0.1/' }]) {
      expectEqual((await redeem(...(await code()), changes)).error, 'invalid_grant')
    }
  },
  'wants-s256': async () => {
    const answer = await visit(request({ code_challenge_method: 'plain' }).url, ANN)
    expectEqual([answer.get('error'), answer.get('iss')], ['invalid_request', ISSUER])
  },
  'makes-no-token-for-a-server-that-it-does-not-know': async () => {
    const answer = await visit(request({ resource: 'https://elsewhere.example.com/mcp' }).url, ANN)
    expectEqual(answer.get('error'), 'invalid_target')
    expectEqual((await redeem(...(await code()), { resource: process.env.OTHER_URL })).error, 'invalid_target')
  },
  'makes-no-token-that-the-user-does-not-allow': async () => {
    const answer = await visit(request().url, { login: 'ann', allow: '' })
    expectEqual([answer.get('error'), answer.get('iss')], ['access_denied', ISSUER])
  },
  'sends-nobody-where-the-document-does-not-say': async () => {
    for (const uri of ['http://127.0.0.1/callback/', 'http://127.0.0.1:8080/callback', 'https://evil.example/']) {
      expectEqual(await refusal({ redirect_uri: uri }), 'invalid_request')
    }
  },
  'takes-no-client-that-is-not-its-document': async () => {
    const plain = clientId('raw').replace('https', 'http')
    for (const id of [clientId('impostor'), plain, `${clientId('raw')}?`, 'raw', 'https://127.0.0.1/raw.json']) {
      expectEqual(await refusal({ client_id: id }), 'invalid_client')
    }
  },
})
process.exit(steps.failed ? 1 : 0)
