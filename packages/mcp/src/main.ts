#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { createServer, type Settings } from './create-server.ts'

const settings = z.object({
  PAPERMOON_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
  PAPERMOON_KEY: z.string().min(1).optional(),
})

/** Runs the MCP server on standard input and output until its host closes them. */
await (await createServer(readSettings(process.env))).connect(new StdioServerTransport())

/** Reads the settings. If a variable is invalid, throws an error with a sentence for the host's log. */
function readSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = settings.safeParse(environment)
  if (!parsed.success) throw new Error(`Invalid environment: ${z.prettifyError(parsed.error)}`)
  return { url: parsed.data.PAPERMOON_URL, apiKey: parsed.data.PAPERMOON_KEY }
}
