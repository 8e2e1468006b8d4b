import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { MANTINE_SCOPE, theme } from './theme.ts'

/** Mantine's variables that get the value of our own tokens, see styles/tokens.css. */
const OURS = {
  '--mantine-color-body': 'var(--pm-ground)',
  '--mantine-color-text': 'var(--pm-text)',
  '--mantine-color-dimmed': 'var(--pm-dim)',
  '--mantine-color-placeholder': 'var(--pm-dim)',
  '--mantine-color-anchor': 'var(--pm-accent-text)',
  '--mantine-color-error': 'var(--pm-error)',
  '--mantine-color-default': 'var(--pm-sunken)',
  '--mantine-color-default-border': 'var(--pm-line-strong)',
  '--mantine-color-default-hover': 'var(--pm-raised)',
  '--mantine-color-default-color': 'var(--pm-text)',
}

/**
 * Writes the style sheet with Mantine's variables at build time. The variables apply to elements inside `Themed` and
 * its portals. Mantine's provider would write the variables on `:root`, and this would restyle the whole page when the
 * first lazy component arrives.
 */
export function writeMantineVariables(): string {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))
  const scoped = (schemed: Record<string, string>, prefix: string) =>
    convertCssVariables({ variables: schemed, light: {}, dark: {} }, `${prefix}${MANTINE_SCOPE}`)
  return [
    scoped(variables, ''),
    scoped({ ...light, ...OURS }, ':root[data-mantine-color-scheme="light"] '),
    scoped({ ...dark, ...OURS }, ':root[data-mantine-color-scheme="dark"] '),
    '[data-themed] { display: contents }',
  ].join('\n')
}
