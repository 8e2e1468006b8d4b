import 'virtual:mantine-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShownScheme } from '../../lib/ui/color-scheme.ts'
import { theme } from '../../theme.ts'

/**
 * Mantine's provider. Rendered by each lazily loaded part that uses Mantine, so that the first screen does not load the
 * library. Adds no styles at run time: any on `:root` would restyle the whole page.
 */
export function Themed({ children }: { children: ReactNode }) {
  const scheme = useShownScheme()
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      // Mantine sets this one on the page first, and the forced one later.
      defaultColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <div data-themed="">{children}</div>
    </MantineProvider>
  )
}
