import 'virtual:mantine-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShownScheme } from '../../lib/ui/color-scheme.ts'
import { theme } from '../../theme.ts'

/**
 * Mantine's provider. Each lazily loaded component that uses Mantine renders this provider, so that the first screen
 * need not load the library. The provider adds no styles at run time, because a new style on `:root` would restyle the
 * whole page.
 */
export function Themed({ children }: { children: ReactNode }) {
  const scheme = useShownScheme()
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      // Mantine sets this colour scheme on the page first, and then the forced scheme.
      defaultColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <div data-themed="">{children}</div>
    </MantineProvider>
  )
}
