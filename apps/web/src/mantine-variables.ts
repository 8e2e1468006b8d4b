import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { MANTINE_SCOPE, theme } from './theme.ts'

/** Variables of Mantine that are tokens of ours, see styles/tokens.css. */
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
 * The style sheet of Mantine's variables, written at build time for the elements inside `Themed` and its portals. On
 * `:root`, where Mantine's provider writes them, they would restyle the whole page when the first lazy part arrives.
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
