import { Alert, Checkbox } from 'antd';
import { Tooltip } from '../ui/Tooltip.tsx';

interface PasswordLoginProps {
  isEnabled: boolean;
  /** Passwords are the only method that is switched on: without them no user could log in. */
  isNeeded: boolean;
  /** The environment sets the value. */
  isLocked: boolean;
  onChange: (isEnabled: boolean) => void;
}

/** A4: passwords can be switched off only while another sign-in method is on. */
export function PasswordLogin({ isEnabled, isNeeded, isLocked, onChange }: PasswordLoginProps) {
  const box = (
    <Checkbox
      name="auth_password_login_enabled"
      checked={isEnabled}
      disabled={isNeeded || isLocked}
      onChange={(event) => onChange(event.target.checked)}
    >
      {/* A locked box is still read: the usual colour of disabled text is too faint. */}
      <span style={isNeeded || isLocked ? { color: 'var(--muted)' } : undefined}>Password Login Enabled</span>
    </Checkbox>
  );
  return (
    <>
      {!isEnabled && (
        <Alert
          type="warning"
          showIcon
          title="Password based login is currently disabled and users will be able to login only with the enabled SSO options."
        />
      )}
      {isNeeded ? (
        <Tooltip title="Password login can be disabled only if another login method is enabled.">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard (screens 1.4) */}
          <span tabIndex={0}>{box}</span>
        </Tooltip>
      ) : (
        box
      )}
    </>
  );
}
