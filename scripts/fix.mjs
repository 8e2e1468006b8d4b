import { runTool } from './lib/run-tool.mjs'

/** Formats all files and applies the safe fixes of lint rules. */
await runTool('biome', ['check', '--write', '.'])
