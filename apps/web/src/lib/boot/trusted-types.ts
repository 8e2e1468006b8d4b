/** The only script URL that the page's own code may create from text. */
const WORKER = '/sw.js'

interface Policy {
  createHTML(html: string): string | null
  createScriptURL(url: string): string | null
}

/**
 * The page's only Trusted Types policy. Two libraries assign `innerHTML`: ECharts empties its container, and Mantine
 * fills a style element. The policy throws for any text with a `<`, and for every script except the service worker.
 */
const policy: Policy = {
  createHTML: (html) => (html.includes('<') ? null : html),
  createScriptURL: (url) => (new URL(url, location.origin).href === location.origin + WORKER ? url : null),
}

interface PolicyFactory {
  createPolicy(name: 'default', policy: Policy): unknown
}

/**
 * Installs the policy if the browser supports Trusted Types. Call this function before any library writes to the DOM.
 */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', policy)
}
