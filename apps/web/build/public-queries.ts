import { contract } from '@papermoon/contract'
import { isPublic, type Procedure } from '@papermoon/contract/procedure'
import type { Plugin } from 'vite'

/**
 * Defines `PUBLIC_QUERIES`: a pattern for the paths of queries that return the same response to everyone, such as
 * `tokens,get`.
 */
export function publicQueries(): Plugin {
  return { name: 'public-queries', config: () => ({ define: { PUBLIC_QUERIES: JSON.stringify(writePattern()) } }) }
}

/**
 * Returns a short pattern, because the first script on every page contains the pattern. The contract's schemas are too
 * long for that script.
 */
function writePattern(): string {
  const features = Object.entries(contract).map(([feature, procedures]) => {
    const queries = Object.entries<Procedure>(procedures).filter(([, { type }]) => type === 'query')
    const hidden = queries.filter(([, query]) => !isPublic(query)).map(([name]) => name)
    return { feature, hidden, hasPublic: hidden.length < queries.length }
  })
  const mixed = features.filter(({ hidden, hasPublic }) => hasPublic && hidden.length > 0)
  const open = features.filter(({ hidden, hasPublic }) => hasPublic && hidden.length === 0)
  return `^((${open.map(({ feature }) => feature).join('|')}),|${mixed
    .map(({ feature, hidden }) => `${feature},(?!${hidden.join('|')})`)
    .join('|')})`
}
