import { createFileRoute } from '@tanstack/react-router'
import { TapeScreen } from '../features/tape/tape-screen.tsx'

export const Route = createFileRoute('/tape')({ component: TapeScreen })
