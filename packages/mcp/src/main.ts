#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createPapermoonClient } from '@papermoon/client'
import { createServer } from './create-server.ts'
import { readSettings } from './settings.ts'

/** The MCP server on standard input and output. It ends with its host. */
const { url, apiKey } = readSettings(process.env)
const { api } = createPapermoonClient({ url, apiKey })
/** Asked once: a key's scopes never change. */
const scopes = apiKey === undefined ? null : ((await api.site.parameters.query()).caller.key?.scopes ?? [])
await createServer({ api, scopes }).connect(new StdioServerTransport())
