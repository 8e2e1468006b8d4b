/** The columns beside the grid. On narrow screens, these columns are tabs. */
export const COLUMNS = [
  { value: 'new', label: 'New' },
  { value: 'rising', label: 'Rising' },
  { value: 'hot', label: 'Hot' },
] as const

export type Column = (typeof COLUMNS)[number]['value']

/** The part that a narrow screen shows: the grid or one of the columns. */
export type Tab = 'all' | Column

export const TABS: readonly { readonly value: Tab; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  ...COLUMNS,
]
