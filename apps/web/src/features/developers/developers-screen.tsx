import { chapters } from 'virtual:guide'
import type { SlotName } from '@papermoon/guide'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { StreamConsole } from './console/stream-console.tsx'
import { FillingProvider } from './filling.ts'
import { GuideBlock } from './guide-block.tsx'
import { KeySlot, type MadeKey } from './key-slot.tsx'
import { LanguageProvider } from './language.tsx'
import { Limits } from './limits.tsx'

interface DevelopersScreenProps {
  /** The form of the settings that makes a key. */
  readonly renderKeyForm: (onMade: (made: MadeKey) => void) => ReactNode
}

/** The guide for people who write programs. A key made here stays in this component's memory only. */
export function DevelopersScreen({ renderKeyForm }: DevelopersScreenProps) {
  const [made, setMade] = useState<MadeKey | null>(null)
  const filling = useMemo(() => ({ url: window.location.origin, key: made?.key }), [made])
  useTitle('Developers')
  const slots: Readonly<Record<SlotName, ReactNode>> = {
    key: <KeySlot made={made} form={renderKeyForm(setMade)} onForget={() => setMade(null)} />,
    limits: <Limits />,
    console: <StreamConsole />,
  }
  return (
    <FillingProvider value={filling}>
      <LanguageProvider>
        <ChapterPage
          title="Developers"
          lead="Write a bot, a chart, a tax nightmare. Everything on this page runs as it is, against this fair, with play money."
          chapters={chapters.map(({ id, title, blocks }) => ({
            id,
            title,
            content: blocks.map((block, index) => <GuideBlock key={`${id}-${index}`} block={block} slots={slots} />),
          }))}
          reference={{ href: '/api/reference', title: 'Reference' }}
          wide
        />
      </LanguageProvider>
    </FillingProvider>
  )
}
