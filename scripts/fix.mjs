import { runTool } from './lib/run-tool.mjs'

/** Formats everything and applies the safe fixes of the lint rules. */
await runTool('biome', ['check', '--write', '.'])
