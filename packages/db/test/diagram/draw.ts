import type { Column, Table } from './read-tables.ts'

/** Matches a diagram of docs/database.md. Its line `%% tables: users accounts` names its tables. */
const DIAGRAM = /```mermaid\nerDiagram\n {2}%% tables: (.*)\n[^`]*```/g
/** References without a foreign key, by the ends of column names. */
const UNKEYED = [
  ['creator_id', 'users'],
  ['user_id', 'users'],
  ['token_id', 'tokens'],
  ['trade_id', 'trades'],
  ['window_started_at', 'giveaway_windows'],
] as const

/** Names of all tables in the page's diagrams, in order. */
export function listDrawnTables(page: string): string[] {
  return Array.from(page.matchAll(DIAGRAM)).flatMap(([, names = '']) => names.split(' '))
}

/** Returns the page with every diagram redrawn from `tables`. */
export function drawDiagrams(page: string, tables: readonly Table[]): string {
  return page.replaceAll(DIAGRAM, (_diagram, names: string) => {
    const drawn = names.split(' ').flatMap((name) => tables.find((table) => table.name === name) ?? [])
    const lines = [`%% tables: ${names}`, ...drawn.flatMap(drawTable), ...drawn.flatMap(drawReferences)]
    return ['```mermaid', 'erDiagram', ...lines.map((line) => `  ${line}`), '```'].join('\n')
  })
}

/** The diagrams' lines, prefixed by their table and column: `trades.hash: bytea hash`. */
export function listDrawnColumns(page: string): Map<string, string> {
  const columns = new Map<string, string>()
  let table = ''
  for (const line of page.split('\n')) {
    const [, opened] = /^ {2}(\w+) \{$/.exec(line) ?? []
    if (opened) table = opened
    const [, name] = /^ {4}\S+ (\w+)/.exec(line) ?? []
    if (name) columns.set(`${table}.${name}`, line.trim())
  }
  return columns
}

function drawTable({ name, columns }: Table): string[] {
  return [`${name} {`, ...columns.map((column) => `  ${drawColumn(column)}`), '}']
}

/** `numeric sol_balance "9 decimals"`: Mermaid allows no comma in a type, so the precision is a comment. */
function drawColumn({ name, type, isNullable, isPrimary, isUnique, refersTo }: Column): string {
  const keys = [isPrimary && 'PK', refersTo && 'FK', isUnique && !isPrimary && 'UK'].filter(Boolean).join(', ')
  const [, decimals] = /^numeric\(\d+,(\d+)\)$/.exec(type) ?? []
  const remarks = [decimals && `${decimals} decimals`, isNullable && 'or null'].filter(Boolean).join(', ')
  const short = type.replace(/\(.*\)/, '').replace('timestamp with time zone', 'timestamptz')
  return [short.replaceAll(' ', '-'), name, keys, remarks && `"${remarks}"`].filter(Boolean).join(' ')
}

/** Solid lines are foreign keys, dotted lines references that the database does not check. */
function drawReferences({ name, columns }: Table): string[] {
  return columns.flatMap((column) => {
    const target = column.refersTo ?? UNKEYED.find(([ending]) => column.name.endsWith(ending))?.[1]
    if (!target || target === name) return []
    const isOnly = column.isUnique && column.isPrimary
    const line = column.refersTo ? '--' : '..'
    return [`${target} ${column.isNullable ? '|o' : '||'}${line}${isOnly ? 'o|' : 'o{'} ${name} : ${column.name}`]
  })
}
