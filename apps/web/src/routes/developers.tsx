import { Themed } from '../components/layout/themed.tsx'
import { DevelopersScreen } from '../features/developers/developers-screen.tsx'
import { NewKeyForm } from '../features/settings/api-keys/new-key-form.tsx'

const BOT_SCOPES = ['market', 'trade'] as const

/** The developers page, where a player creates an API key. */
export function DevelopersRoute() {
  return (
    <DevelopersScreen
      renderKeyForm={(onMade) => (
        <Themed>
          <NewKeyForm isBack={false} scopes={BOT_SCOPES} onMade={onMade} />
        </Themed>
      )}
    />
  )
}
