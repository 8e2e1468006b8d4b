import { existsSync } from 'node:fs'
import { type LaunchedChrome, launch } from 'chrome-launcher'

const DEBIAN_CHROMIUM = '/usr/bin/chromium'
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-sync']

/** Launches a fresh browser: `CHROMIUM_PATH`, else the system's. */
export function launchChromium(): Promise<LaunchedChrome> {
  const chromePath = process.env.CHROMIUM_PATH ?? (existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined)
  return launch({ chromeFlags: FLAGS, ...(chromePath !== undefined && { chromePath }) })
}
