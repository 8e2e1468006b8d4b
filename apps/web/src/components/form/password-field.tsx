import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/PasswordInput.css'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import form from './form.module.css'

export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      size="md"
      withAsterisk={false}
      classNames={{ input: form.input, label: form.label, description: 'dim' }}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
      {...props}
    />
  )
}
