import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** Shades of the accent colour. The shade with index 5 is the accent colour itself. */
const moon: MantineColorsTuple = [
  '#fff8e2',
  '#fff0c9',
  '#ffe7a8',
  '#ffdf88',
  '#ffd770',
  '#ffcf5c',
  '#eeb93f',
  '#d99f22',
  '#a8740c',
  '#7a4f00',
]

/**
 * Shades that Mantine uses for its dark surfaces and borders. Most of these shades are our own colours, which differ in
 * the light colour scheme.
 */
const dark: MantineColorsTuple = [
  'var(--pm-text)',
  '#d9d2c3',
  'var(--pm-dim)',
  'var(--pm-line-strong)',
  'var(--pm-line)',
  '#232839',
  'var(--pm-raised)',
  'var(--pm-surface)',
  'var(--pm-sunken)',
  'var(--pm-ground)',
]

/** The colour of errors, which must not look like the colour of a falling price. */
const raspberry: MantineColorsTuple = [
  '#ffeaf3',
  '#ffcfe2',
  '#ffa9cb',
  '#ff7fb5',
  '#f45c9d',
  '#d93f83',
  '#b82a6b',
  '#a81a5c',
  '#84124a',
  '#5f0a34',
]

/** The theme for Mantine's components. The scale and all other colours are in styles/tokens.css. */
export const theme = createTheme({
  primaryColor: 'moon',
  primaryShade: 5,
  autoContrast: true,
  luminanceThreshold: 0.4,
  white: '#fffdf7',
  black: '#221d30',
  colors: { moon, dark, raspberry, red: raspberry },
  fontFamily: 'var(--pm-font-text)',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  headings: { fontFamily: 'var(--pm-font-display)', fontWeight: '800' },
  defaultRadius: 'md',
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-s)',
    md: 'var(--text-m)',
    lg: 'var(--text-l)',
    xl: 'var(--text-xl)',
  },
  spacing: {
    xs: 'var(--space-xs)',
    sm: 'var(--space-s)',
    md: 'var(--space-m)',
    lg: 'var(--space-l)',
    xl: 'var(--space-xl)',
  },
  radius: { sm: 'var(--radius-s)', md: 'var(--radius-s)', lg: 'var(--radius-m)', xl: 'var(--radius-l)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: { Table: { defaultProps: { borderColor: 'var(--pm-line)', fz: 'md', verticalSpacing: 'sm' } } },
})

/** Selects the elements that get Mantine's variables: the content of `Themed`, and Mantine's portals. */
export const MANTINE_SCOPE = ':is([data-themed], [data-portal])'
