import { createFileRoute } from '@tanstack/react-router'
import { LaunchScreen } from '../features/launch/launch-screen.tsx'

export const Route = createFileRoute('/launch')({ component: LaunchScreen })
