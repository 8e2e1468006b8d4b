/** The only script URL the page may create from text. */
const WORKER = '/sw.js'

interface Policy {
  createHTML(html: string): string | null
  createScriptURL(url: string): string | null
}

/**
 * The page's only Trusted Types policy, for libraries that assign `innerHTML`: ECharts empties its box, Mantine fills a
 * style element. Throws for any text with a `<`, and for every script.
 */
const policy: Policy = {
  createHTML: (html) => (html.includes('<') ? null : html),
  createScriptURL: (url) => (new URL(url, location.origin).href === location.origin + WORKER ? url : null),
}

interface PolicyFactory {
  createPolicy(name: 'default', policy: Policy): unknown
}

/** Installs the policy where the browser supports Trusted Types. Call it before any library writes to the DOM. */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', policy)
}
