import 'virtual:mantine-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShownScheme } from '../../lib/ui/color-scheme.ts'
import { theme } from '../../theme.ts'

/**
 * Mantine's provider. Each lazily loaded component that uses Mantine renders this provider, so the first screen does
 * not load the library. The provider adds no styles at run time, because any style on `:root` would restyle the whole
 * page.
 */
export function Themed({ children }: { children: ReactNode }) {
  const scheme = useShownScheme()
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      // Mantine first sets this colour scheme on the page, and then the forced scheme.
      defaultColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <div data-themed="">{children}</div>
    </MantineProvider>
  )
}
