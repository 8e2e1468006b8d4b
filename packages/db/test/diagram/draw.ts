import type { Table } from './read-tables.ts'

/** Matches a diagram of docs/database.md. Its line `%% tables: users accounts` names its tables. */
const DIAGRAM = /```mermaid\nerDiagram\n {2}%% tables: (.*)\n[^`]*```/g
/** References without a foreign key, found by the ends of column names. */
const UNKEYED = [
  ['creator_id', 'users'],
  ['user_id', 'users'],
  ['token_id', 'tokens'],
  ['trade_id', 'trades'],
  ['window_started_at', 'giveaway_windows'],
] as const

/** Returns the names of all tables in the page's diagrams, in order. */
export function listDrawnTables(page: string): string[] {
  return Array.from(page.matchAll(DIAGRAM)).flatMap(([, names = '']) => names.split(' '))
}

/** Returns the page with every diagram redrawn from `tables`. */
export function drawDiagrams(page: string, tables: readonly Table[]): string {
  return page.replaceAll(DIAGRAM, (_diagram, names: string) => {
    const drawn = names.split(' ').flatMap((name) => tables.find((table) => table.name === name) ?? [])
    const references = drawn.flatMap(drawReferences)
    const alone = drawn.filter(({ name }) => !references.some((line) => line.split(' ').includes(name)))
    const lines = [`%% tables: ${names}`, ...alone.map(({ name }) => name), ...references]
    return ['```mermaid', 'erDiagram', ...lines.map((line) => `  ${line}`), '```'].join('\n')
  })
}

/**
 * Draws a table's references: a solid line for a foreign key, and a dotted line for a reference that the database does
 * not check.
 */
function drawReferences({ name, columns }: Table): string[] {
  return columns.flatMap((column) => {
    const target = column.refersTo ?? UNKEYED.find(([ending]) => column.name.endsWith(ending))?.[1]
    if (!target || target === name) return []
    const isOnly = column.isUnique && column.isPrimary
    const line = column.refersTo ? '--' : '..'
    return [`${target} ${column.isNullable ? '|o' : '||'}${line}${isOnly ? 'o|' : 'o{'} ${name} : ${column.name}`]
  })
}
