import { createFileRoute } from '@tanstack/react-router'
import { FollowingScreen } from '../features/talk/following-screen.tsx'

export const Route = createFileRoute('/following')({ component: FollowingScreen })
