/** Maps each text node to the `<font>` element with which a translator replaced it. */
const fonts = new WeakMap<Node, ChildNode>()

/**
 * Lets React update a page that the browser translates. Translators move each text into a `<font>` element, or replace
 * the text with one, but React still refers to the text. After a translation, React's `insertBefore` and `removeChild`
 * would otherwise throw and end the app, and React would write new values into an invisible text.
 */
export function surviveTranslation(): void {
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null) {
    return insertBefore.call(this, node, before && findChild(this, before)) as T
  }
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T) {
    if (child.parentNode === this) return removeChild.call(this, child) as T
    const place = findChild(this, child)
    child.parentNode?.removeChild(child)
    if (place !== null && (place === fonts.get(child) || place.textContent === '')) removeChild.call(this, place)
    return child
  }
  const changes = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') showAgain(record.target as Text)
      else noteReplaced(record, changes)
    }
  })
  changes.observe(document, { childList: true, subtree: true })
}

/** Returns the child of `parent` that now contains `node`. */
function findChild(parent: Node, node: Node): Node | null {
  let place: Node | null = node
  while (place !== null && place.parentNode !== parent) place = place.parentNode ?? fonts.get(place) ?? null
  return place
}

function noteReplaced(
  { removedNodes, addedNodes, previousSibling, nextSibling }: MutationRecord,
  changes: MutationObserver,
) {
  const font = [addedNodes[0], previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT')
  if (font === undefined) return
  for (const node of removedNodes) {
    if (node.nodeType !== Node.TEXT_NODE || node.isConnected) continue
    fonts.set(node, font as ChildNode)
    changes.observe(node, { characterData: true })
  }
}

/** Puts a text that has changed back into the page, so that the translator finds it. */
function showAgain(text: Text): void {
  fonts.get(text)?.replaceWith(text)
  fonts.delete(text)
}
