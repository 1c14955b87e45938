// What the TypeScript clients do with each server, step by step.

import { filledIn } from './forms.mjs'
import { REQUIRED_TOOLS, pause } from './peer.mjs'
import { expect, expectEqual } from './steps.mjs'

const INVALID_PARAMS = -32602
const MISSING_CAPABILITY = -32021
const RESOURCE_NOT_FOUND = -32002

/** Walks every server with the client that `open` connects, and says whether all went well. */
export async function walkAll(steps, open) {
  await walk(steps, open, { server: 'conformance' }, fixture)
  await walk(steps, open, { server: 'hello' }, hello)
  await walk(steps, open, { server: 'booking' }, booking)
  await walk(steps, open, { server: 'booking', mute: true }, bookingUnasked)
  return !steps.failed
}

async function walk(steps, open, options, stepsOf) {
  const peer = open(options)
  const name = options.mute ? `${options.server}-mute` : options.server
  try {
    await peer.connect()
  } catch (error) {
    return steps.fail(`${name}-connects`, error)
  }
  await steps.runAll(stepsOf(peer))
  await steps.run(`${name}-closes`, () => peer.closes())
}

/** The conformance server: everything the protocol has. */
function fixture(peer) {
  const { client, modern } = peer
  return {
    'negotiates': async () => expectEqual(peer.negotiated(), peer.revision),

    'server-info': async () => {
      const info = client.getServerVersion()
      expect(info?.name && info?.version, info)
    },

    'tools-list': async () => {
      const { tools } = await client.listTools()
      expect(tools.length >= 10 && tools.every((tool) => tool.name && tool.description && tool.inputSchema), tools)
    },

    'call-text': async () => {
      const text = await peer.textOf('test_simple_text')
      expect(text.includes('simple text response'), text)
    },

    'call-image': async () => {
      const [image] = (await peer.call('test_image_content')).content
      expectEqual([image.type, image.mimeType], ['image', 'image/png'])
    },

    'call-audio': async () => {
      const [audio] = (await peer.call('test_audio_content')).content
      expectEqual([audio.type, audio.mimeType], ['audio', 'audio/wav'])
    },

    'call-resource': async () => {
      const [item] = (await peer.call('test_embedded_resource')).content
      expectEqual([item.type, item.resource.uri], ['resource', 'test://embedded-resource'])
    },

    'call-mixed': async () => {
      const types = (await peer.call('test_multiple_content_types')).content.map((item) => item.type)
      expect(['text', 'image', 'resource'].every((type) => types.includes(type)), types)
    },

    'call-error': async () => {
      const result = await peer.callTool({ name: 'test_error_handling' })
      expect(result.isError && result.content[0].text, result)
    },

    'call-unknown': () => refused([INVALID_PARAMS], peer.callTool({ name: 'no_such_tool' })),

    'mirrored-header': async () => {
      const [tool, parameter] = mirrored((await client.listTools()).tools)
      await peer.call(tool, { [parameter]: ' Grüße ' })
    },

    'progress': async () => {
      const seen = []
      await peer.call('test_tool_with_progress', undefined, { onprogress: ({ progress }) => seen.push(progress) })
      const wanted = peer.losesLastProgress ? 2 : 3
      expect(seen.length >= wanted && seen.every((value, at) => at === 0 || value >= seen[at - 1]), seen)
    },

    'asks-elicitation': async () => {
      if (!modern) return peer.asks('test_elicitation', ['elicitation'], { message: 'Who are you?' })
      expectEqual(await peer.asks('test_input_required_result_elicitation', ['elicitation']), 'Hello, Ada!')
    },

    'asks-sampling': async () => {
      if (modern) return peer.asks('test_input_required_result_sampling', ['sampling'])
      const text = await peer.asks('test_sampling', ['sampling'], { prompt: 'What is the capital of France?' })
      expect(text.includes('Paris'), text)
    },

    'asks-roots': () => peer.asks('test_input_required_result_list_roots', ['roots']),

    'asks-with-state': async () => {
      const text = await peer.asks('test_input_required_result_request_state', ['elicitation'])
      expect(text.includes('state-ok'), text)
    },

    'asks-many': () =>
      peer.asks('test_input_required_result_multiple_inputs', ['elicitation', 'sampling', 'roots']),

    'asks-twice': () => peer.asks('test_input_required_result_multi_round', ['elicitation', 'elicitation']),

    'form-defaults': async () => {
      await peer.asks('test_elicitation_sep1034_defaults', ['elicitation'])
      const wanted = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true }
      expectEqual(filledIn(peer.forms.at(-1)), wanted)
    },

    'form-enums': async () => {
      await peer.asks('test_elicitation_sep1330_enums', ['elicitation'])
      const wanted = ['legacyEnum', 'titledMulti', 'titledSingle', 'untitledMulti', 'untitledSingle']
      expectEqual(Object.keys(peer.forms.at(-1).properties).toSorted(), wanted)
    },

    'prompts-list': async () => {
      const { prompts } = await client.listPrompts()
      expect(prompts.length >= 4 && prompts.every((prompt) => prompt.name && prompt.description), prompts)
    },

    'prompt-plain': async () => {
      const [message] = (await client.getPrompt({ name: 'test_simple_prompt' })).messages
      expect(message.role === 'user' && message.content.text, message)
    },

    'prompt-arguments': async () => {
      const args = { arg1: 'hay', arg2: 'straw' }
      const told = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: args })
      const { text } = told.messages[0].content
      expect(text.includes('hay') && text.includes('straw'), text)
    },

    'prompt-resource': async () => {
      const args = { resourceUri: 'test://example-resource' }
      const told = await client.getPrompt({ name: 'test_prompt_with_embedded_resource', arguments: args })
      expect(told.messages.some((message) => message.content.resource?.uri === args.resourceUri), told)
    },

    'prompt-image': async () => {
      const told = await client.getPrompt({ name: 'test_prompt_with_image' })
      expect(told.messages.some((message) => message.content.type === 'image'), told)
    },

    'prompt-asks': async () => {
      peer.asked = []
      const told = await client.getPrompt({ name: 'test_input_required_result_prompt' })
      expect(told.messages.length > 0 && peer.asked.length > 0, told)
    },

    'prompt-unknown': () => refused([INVALID_PARAMS], client.getPrompt({ name: 'no_such_prompt' })),

    'resources-list': async () => {
      const { resources } = await client.listResources()
      expect(resources.some((resource) => resource.uri === 'test://static-text'), resources)
    },

    'resource-text': async () => {
      const { contents } = await client.readResource({ uri: 'test://static-text' })
      expect(contents[0].text, contents)
    },

    'resource-binary': async () => {
      const { contents } = await client.readResource({ uri: 'test://static-binary' })
      expect(contents[0].blob && contents[0].mimeType === 'image/png', contents)
    },

    'resource-templates': async () => {
      const { resourceTemplates } = await client.listResourceTemplates()
      expect(resourceTemplates.some((it) => it.uriTemplate === 'test://template/{id}/data'), resourceTemplates)
    },

    'resource-from-template': async () => {
      const { contents } = await client.readResource({ uri: 'test://template/123/data' })
      expect(contents[0].text.includes('123'), contents)
    },

    'resource-unknown': () => {
      const codes = modern ? [INVALID_PARAMS] : [INVALID_PARAMS, RESOURCE_NOT_FOUND]
      return refused(codes, client.readResource({ uri: 'test://no-such-resource' }))
    },

    'resource-subscription': async () => {
      await client.subscribeResource({ uri: 'test://watched-resource' })
      await client.unsubscribeResource({ uri: 'test://watched-resource' })
    },

    'completion': async () => {
      const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' }
      const result = await client.complete({ ref, argument: { name: 'arg1', value: 'test' } })
      expect(Array.isArray(result.completion.values), result)
    },

    'listens-to-tools': () =>
      listening(peer, { toolsListChanged: true }, async () => {
        await peer.call('test_trigger_tool_change')
        expectEqual(await peer.isNotified(1), ['notifications/tools/list_changed'])
      }),

    'listens-to-prompts': () =>
      listening(peer, { promptsListChanged: true }, async () => {
        await peer.call('test_trigger_prompt_change')
        expectEqual(await peer.isNotified(1), ['notifications/prompts/list_changed'])
      }),

    'listens-only-to-what-it-asked-for': () =>
      listening(peer, { promptsListChanged: true }, async () => {
        await peer.call('test_trigger_tool_change')
        await peer.call('test_trigger_prompt_change')
        expectEqual(await peer.isNotified(1), ['notifications/prompts/list_changed'])
      }),

    'listens-to-a-resource': () => {
      const uris = ['test://watched-resource']
      return listening(peer, { resourceSubscriptions: uris }, async ({ honoredFilter }) => {
        if (client.getServerCapabilities().resources?.subscribe) {
          expectEqual(honoredFilter.resourceSubscriptions, uris)
        }
      })
    },

    'silent-without-log-level': async () => {
      peer.logs = []
      await peer.call('test_logging_tool')
      expectEqual(peer.logs, [])
    },

    'logging': async () => {
      await client.setLoggingLevel('debug')
      peer.logs = []
      await peer.call('test_tool_with_logging')
      // Messages may travel on another stream than the result.
      await pause(0.2)
      expect(peer.logs.length >= 3, peer.logs)
    },

    'ping': () => client.ping(),

    'session-ends': () => peer.endsSession(),
  }
}

/** The smallest server: one tool that answers at once. */
function hello(peer) {
  return {
    'hello-lists': async () => {
      const { tools } = await peer.client.listTools()
      expectEqual(tools.map((tool) => tool.name), ['greet'])
    },

    'hello-says-what-is-ready': async () => {
      const question = { tools: [{ id: 'greet' }, { id: 'great' }] }
      // A client that keeps lists would answer from one that was read without the question.
      const params = { _meta: { [REQUIRED_TOOLS]: question } }
      const { tools, _meta } = await peer.client.listTools(params, { cacheMode: 'refresh' })
      const { verdict, tools: told } = _meta[REQUIRED_TOOLS]
      expectEqual([tools.length, verdict, told[0].status], [1, 'unknown_ids', 'ready'])
      expectEqual([told[1].reason, told[1].did_you_mean], ['not_found', ['greet']])
    },

    'hello-greets': async () => expectEqual(await peer.textOf('greet', { name: 'Ada' }), 'Hello, Ada!'),

    'hello-refuses-a-number': async () => {
      const result = await peer.callTool({ name: 'greet', arguments: { name: 7 } })
      expect(result.isError && result.content[0].text.includes('name'), result)
    },
  }
}

/** A server that asks before it acts and answers with structured output. */
function booking(peer) {
  return {
    'booking-lists': async () => {
      const [tool] = (await peer.client.listTools()).tools
      expectEqual(tool.name, 'book_table')
      expectEqual(Object.keys(tool.inputSchema.properties).toSorted(), ['day', 'guests'])
    },

    'booking-has-output-schema': async () => {
      const [tool] = (await peer.client.listTools()).tools
      expect('table' in tool.outputSchema.properties && 'deposit' in tool.outputSchema.properties, tool)
    },

    'booking-books': async () => {
      peer.action = 'accept'
      const { isError, structuredContent } = await book(peer, 4)
      expect(!isError && 'table' in structuredContent && 'deposit' in structuredContent, structuredContent)
      expectEqual(Object.keys(peer.forms.at(-1).properties).toSorted(), ['allergies', 'hold'])
      expectEqual(peer.asked, ['elicitation'])
    },

    'booking-declined': async () => {
      peer.action = 'decline'
      const result = await book(peer, 4)
      expect(result.isError && result.content[0].text, result)
    },

    'booking-refuses-a-crowd': async () => {
      const result = await book(peer, 13)
      expect(result.isError && result.content[0].text.includes('guests'), result)
    },
  }
}

/** The same server before a client that it cannot ask. */
function bookingUnasked(peer) {
  return {
    'booking-cannot-ask': async () => {
      if (peer.modern) return refused([MISSING_CAPABILITY], book(peer, 4))
      // No revision with sessions says how: a result for the model and a protocol error are both right.
      const result = await book(peer, 4).catch((error) => ({ isError: Number.isInteger(error.code) }))
      expect(result.isError, result)
    },
  }
}

function book(peer, guests) {
  peer.asked = []
  return peer.callTool({ name: 'book_table', arguments: { day: '2026-09-01', guests } })
}

async function listening(peer, filter, body) {
  peer.notified = []
  const subscription = await peer.client.listen(filter)
  try {
    await body(subscription)
  } finally {
    await subscription.close()
  }
}

async function refused(codes, call) {
  const error = await call.then(
    (result) => expect(false, result),
    (error) => error,
  )
  expect(codes.includes(error.code), { code: error.code, message: error.message })
}

/** The first tool with a text argument that is mirrored into a header, and that argument. */
function mirrored(tools) {
  for (const tool of tools) {
    for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      if ('x-mcp-header' in schema && schema.type === 'string') return [tool.name, name]
    }
  }
  throw new Error('no tool has an x-mcp-header argument')
}
