/** Where a page may get a service worker from; nothing else loads a script by an address in text. */
const WORKER = '/sw.js'

interface Policy {
  createHTML(html: string): string | null
  createScriptURL(url: string): string | null
}

/**
 * The page's only Trusted Types policy, for the libraries that write text where HTML may stand: the chart empties its
 * box, Mantine fills a style element. Text without a tag stays text, so nothing with a `<` passes, and no script at all.
 */
const policy: Policy = {
  createHTML: (html) => (html.includes('<') ? null : html),
  createScriptURL: (url) => (new URL(url, location.origin).href === location.origin + WORKER ? url : null),
}

interface PolicyFactory {
  createPolicy(name: 'default', policy: Policy): unknown
}

/** Installs the policy where the browser knows Trusted Types; call it before any library writes to the page. */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', policy)
}
