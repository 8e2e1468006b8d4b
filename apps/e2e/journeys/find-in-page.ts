export type Role = 'link' | 'button' | 'textbox' | 'tab' | 'heading' | 'searchbox'

/** An element by its role and accessible name, as a person finds it. */
export interface Target {
  readonly role: Role
  /** The whole name, or a pattern for it. */
  readonly name: string | RegExp
  /** Only within regions whose name contains this. */
  readonly within?: string
}

/**
 * Finds a target in the page: every browser has another way to look at the accessibility tree, so this reads the
 * document. Covers what the product uses: labels, `aria-label`, `aria-labelledby`, hidden and inert parts. Runs in the
 * page, so it uses nothing from outside.
 */
function findInPage(role: Role, pattern: string, flags: string, within: string | null): Element | null {
  const selectors: Record<Role, string> = {
    link: 'a[href]',
    button: 'button:not([role]), [role=button], summary',
    textbox: 'input:not([type=checkbox], [type=radio], [type=file], [type=search]), textarea',
    searchbox: 'input[type=search], input[role=searchbox]',
    tab: '[role=tab]',
    heading: 'h1, h2, h3, h4',
  }
  const readText = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
    return [...node.childNodes].map(readText).join('')
  }
  const readByIds = (ids: string) =>
    ids
      .split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
  const getName = (element: Element): string => {
    const labelledBy = element.getAttribute('aria-labelledby')
    if (labelledBy !== null && role !== 'tab') return readByIds(labelledBy)
    const label = element.getAttribute('aria-label')
    if (label !== null) return label
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      const labels = [...(element.labels ?? [])].map(readText).join(' ')
      return labels === '' ? element.placeholder : labels
    }
    return readText(element)
  }
  const wanted = new RegExp(pattern, flags)
  const isUsable = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert], [aria-hidden=true]') === null &&
    element.getAttribute('aria-disabled') !== 'true' &&
    !(element instanceof HTMLButtonElement && element.disabled)
  const found = [...document.querySelectorAll(selectors[role])].find(
    (element) =>
      isUsable(element) &&
      (within === null || element.closest(`[aria-label*="${within}"]`) !== null) &&
      wanted.test(getName(element).replace(/\s+/g, ' ').trim()),
  )
  found?.scrollIntoView({ block: 'center', behavior: 'instant' })
  return found ?? null
}

/** The source of `findInPage`, to be run in any browser's page. */
export const FIND_IN_PAGE = findInPage.toString()

/** The arguments of `FIND_IN_PAGE` for a target. */
export function toArguments({ role, name, within }: Target): unknown[] {
  const [pattern, flags] =
    typeof name === 'string' ? [`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, ''] : [name.source, name.flags]
  return [role, pattern, flags, within ?? null]
}
