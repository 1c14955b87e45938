// Talks to the servers with the command line of the MCP Inspector.
//
// Usage: inspector.mjs modern|legacy http|stdio

import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Steps, expect, expectEqual } from './steps.mjs'

const INSPECTOR = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
)
const REVISIONS = { modern: '2026-07-28', legacy: '2025-11-25' }
const TOOL_SAID_ERROR = 5

const [era, over] = process.argv.slice(2)
// It keeps a catalogue of servers in its home; ours stays out of the user's.
const home = fileURLToPath(new URL('../out/inspector-home', import.meta.url))
mkdirSync(home, { recursive: true })

const walk = {
  'negotiates': async () => {
    const { serverInfo, protocolVersion } = await inspect('conformance', 'initialize')
    expectEqual(protocolVersion, REVISIONS[era])
    expect(serverInfo.name && serverInfo.version, serverInfo)
  },

  'tools-list-strict': async () => {
    for (const server of ['conformance', 'hello', 'booking']) {
      const { tools } = await inspect(server, 'tools/list', '--strict')
      expect(tools.length > 0, tools)
    }
  },

  'call-text': async () => {
    const { content } = await inspect('conformance', 'tools/call', '--tool-name', 'test_simple_text')
    expect(content[0].text, content)
  },

  'call-arguments': async () => {
    const { content } = await inspect('hello', 'tools/call', '--tool-name', 'greet', '--tool-arg', 'name=Ada')
    expectEqual(content[0].text, 'Hello, Ada!')
  },

  'call-error': async () => {
    const { code, stdout } = await run('conformance', 'tools/call', '--tool-name', 'test_error_handling')
    expectEqual(code, TOOL_SAID_ERROR)
    expect(JSON.parse(stdout).result.isError, stdout)
  },

  'resources-list': async () => {
    const { resources } = await inspect('conformance', 'resources/list')
    expect(resources.some((resource) => resource.uri === 'test://static-text'), resources)
  },

  'resource-text': async () => {
    const { contents } = await inspect('conformance', 'resources/read', '--uri', 'test://static-text')
    expect(contents[0].text, contents)
  },

  'resource-templates': async () => {
    const { resourceTemplates } = await inspect('conformance', 'resources/templates/list')
    expect(resourceTemplates.length > 0, resourceTemplates)
  },

  'prompts-list': async () => {
    const { prompts } = await inspect('conformance', 'prompts/list')
    expect(prompts.some((prompt) => prompt.name === 'test_simple_prompt'), prompts)
  },

  'prompt-arguments': async () => {
    const name = ['--prompt-name', 'test_prompt_with_arguments']
    const { messages } = await inspect('conformance', 'prompts/get', ...name, '--prompt-args', 'arg1=hay', 'arg2=straw')
    expect(messages[0].content.text.includes('straw'), messages)
  },

  'logging': async () => {
    const result = await inspect('conformance', 'logging/setLevel', '--log-level', 'debug')
    expectEqual(result, {})
  },
}

/** The result of one method, which must succeed. */
async function inspect(server, method, ...options) {
  const { code, stdout, stderr } = await run(server, method, ...options)
  expect(code === 0, { code, stdout, stderr })
  return JSON.parse(stdout).result
}

function run(server, method, ...options) {
  const target =
    over === 'http'
      ? [process.env[`${server.toUpperCase()}_URL`], '--transport', 'http']
      : [join(process.env.SERVERS, server), '--stdio', '--transport', 'stdio']
  const args = ['--cli', ...target, '--protocol-era', era, '--format', 'json', '--method', method, ...options]
  const child = spawn(process.execPath, [INSPECTOR, ...args], {
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return output(child)
}

async function output(child) {
  const [stdout, stderr, code] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

const steps = new Steps({ client: 'inspector', era, over })
await steps.runAll(walk)
process.exit(steps.failed ? 1 : 0)
