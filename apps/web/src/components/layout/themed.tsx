import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShownScheme } from '../../lib/ui/color-scheme.ts'
import { theme } from '../../theme.ts'

/**
 * Mantine's provider. Rendered by each lazily loaded part that uses Mantine, so that the first screen does not load the
 * library.
 */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} forceColorScheme={useShownScheme()}>
      {children}
    </MantineProvider>
  )
}
