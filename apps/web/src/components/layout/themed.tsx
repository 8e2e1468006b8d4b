import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useShownScheme } from '../../lib/ui/color-scheme.ts'
import { theme } from '../../theme.ts'

/** What Mantine’s components need around them. No first screen has any: the library comes with those that do. */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} forceColorScheme={useShownScheme()}>
      {children}
    </MantineProvider>
  )
}
