import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '../features/auth/reset/forgot-password-screen.tsx'

export const Route = createFileRoute('/forgot-password')({ component: ForgotPasswordScreen })
