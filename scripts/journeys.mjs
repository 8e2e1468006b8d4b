import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, root } from './lib/project.mjs'
import { runPlaywright } from './lib/run-playwright.mjs'

const BROWSERS = ['chromium', 'firefox', 'webkit']

/**
 * Plays what players do in `--browser chromium`, `firefox` or `webkit`, and draws film strips into .shots/journeys/.
 * Other arguments go to Playwright, such as `-g guest`. Firefox needs firefox-esr, WebKit webkit2gtk-driver and xvfb.
 * A tap counts 2.45 s and a key 0.28 s, by the keystroke-level model of Card, Moran and Newell.
 */
const { values, tokens } = parseArgs({ options: { browser: { type: 'string' } }, strict: false, tokens: true })
const browser = values.browser ?? 'chromium'
if (!BROWSERS.includes(browser)) fail(`--browser is one of ${BROWSERS.join(', ')}.`)
const own = tokens.find((token) => token.kind === 'option' && token.name === 'browser')
const rest = process.argv.slice(2)
if (own !== undefined) rest.splice(own.index, own.inlineValue ? 1 : 2)
const code = await runPlaywright('journeys.config.ts', rest, { JOURNEY_BROWSER: browser })
process.stdout.write(`${join(root, '.shots', 'journeys')}\n`)
process.exit(code)
