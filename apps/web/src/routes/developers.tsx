import { createFileRoute } from '@tanstack/react-router'
import { Themed } from '../components/layout/themed.tsx'
import { DevelopersScreen } from '../features/developers/developers-screen.tsx'
import { NewKeyForm } from '../features/settings/api-keys/new-key-form.tsx'

export const Route = createFileRoute('/developers')({ component: DevelopersRoute })

const BOT_SCOPES = ['market', 'trade'] as const

function DevelopersRoute() {
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
