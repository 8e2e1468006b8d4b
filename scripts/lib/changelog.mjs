const title = '# Changelog\n'

/**
 * Moves the newest section of a package's changelog to the top of the product's. `packageLog` is what changesets wrote,
 * its sections headed `## VERSION`; `productLog` is '' where there is none yet. Throws when there is no section, or when
 * the product's changelog already has it.
 */
export function addRelease(productLog, packageLog) {
  const [, section] = packageLog.split(/^(?=## )/m)
  const version = section && /^## (\S+)/.exec(section)?.[1]
  if (!version) throw new Error('The package’s changelog has no version.')
  const before = productLog.startsWith(title) ? productLog.slice(title.length) : productLog
  if (before.split('\n').includes(`## ${version}`)) throw new Error(`The changelog already has ${version}.`)
  return `${title}\n${section.trimEnd()}\n${before.trim() ? `\n${before.trim()}\n` : ''}`
}
