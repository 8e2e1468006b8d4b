import { Skeleton } from '../components/feedback/skeleton.tsx'
import { Confirmation } from '../components/form/confirmation.tsx'
import { Panel } from '../components/layout/panel.tsx'
import { Themed } from '../components/layout/themed.tsx'
import { DevelopersScreen } from '../features/developers/developers-screen.tsx'
import { BotPanel } from '../features/settings/api-keys/bot-panel.tsx'
import { KeyList } from '../features/settings/api-keys/key-list.tsx'
import { NewKeyForm } from '../features/settings/api-keys/new-key-form.tsx'
import { lazyPart } from '../lib/boot/lazy-import.ts'

const Webhooks = lazyPart(
  () => import('../features/settings/webhooks/webhooks.tsx'),
  'Webhooks',
  <Panel title="Your webhooks" level={3}>
    {/* Use a placeholder that is about as tall as the form. */}
    <Skeleton height={500} />
  </Panel>,
)

/** The developers page, on which a player can create an API key. */
export function DevelopersRoute() {
  return (
    <DevelopersScreen
      renderKeyForm={(onMade, isBack) => (
        <Themed>
          <NewKeyForm isBack={isBack} onMade={onMade} />
        </Themed>
      )}
      keys={<KeyList />}
      bot={<BotPanel />}
      webhooks={
        <Themed>
          <Webhooks />
          <Confirmation />
        </Themed>
      }
    />
  )
}
