import type { SettingsReply } from '@telltale/domain/organization/contract.ts';
import { isOtherLoginOn } from '@telltale/domain/organization/logins.ts';
import type { SettingName } from '@telltale/domain/organization/settings.ts';
import { Button } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { useSession } from '../api/session.ts';
import { FieldRow } from '../ui/form/FieldRow.tsx';
import formStyles from '../ui/form/Form.module.css';
import { faultsOf } from '../ui/form/faults.ts';
import type { Field, FieldValue, FormValues } from '../ui/form/field.ts';
import { useFormState } from '../ui/form/useFormState.ts';
import { useLeaveGuard } from '../ui/leaveGuard.ts';
import { Section } from '../ui/Section.tsx';
import { PasswordLogin } from './PasswordLogin.tsx';
import styles from './SettingsForm.module.css';
import { hiddenNames, type SettingsPart, settingsFromForm, settingsParts } from './settingsFields.ts';
import { useSaveSettings } from './useSettings.ts';

const passwordLogin: SettingName = 'auth_password_login_enabled';
const firstMethod = 3;

/** Hidden fields are not validated: their error messages would be invisible, and Save would seem to do nothing. */
const unchecked = ({ required: _, fault: __, ...field }: Field): Field => field;

/** A local copy is edited and saved as a whole; a failed save keeps the changes. */
export function SettingsForm({ reply }: { reply: SettingsReply }) {
  const id = useId();
  const save = useSaveSettings();
  const { client_config } = useSession();
  const parts = settingsParts(reply, { date: client_config.dateFormatList, time: client_config.timeFormatList });
  const isLocked = reply.locked.includes(passwordLogin);
  const password: Field = {
    name: passwordLogin,
    title: '',
    type: 'checkbox',
    initialValue: reply.settings.auth_password_login_enabled,
    readOnly: isLocked,
  };
  const fields = [password, ...parts.flatMap((part) => part.fields)];
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const isHidden = ({ name }: Field) => hidden.includes(name);
  const form = useFormState(
    fields.map((field) => (isHidden(field) ? unchecked(field) : field)),
    {
      onSubmit: (payload) => {
        // The server would refuse the whole save for a faulty value, so a hidden one is left out and stays as it is stored.
        const faults = faultsOf(fields.filter(isHidden), payload);
        const sent = Object.fromEntries(Object.entries(payload).filter(([name]) => !faults.has(name)));
        return save.mutateAsync({ body: settingsFromForm(sent) });
      },
    },
  );
  // The values say which fields are hidden, and are known only after the form has read the fields.
  const hiddenNow = hiddenNames(parts, form.values);
  if (hiddenNow.join() !== hidden.join()) setHidden(hiddenNow);
  useLeaveGuard(form.isDirty && !form.isSaving, id);

  /** Turning off the last other method turns passwords on again (A4); the server refuses to save without a complete one. */
  const set = (name: string, value: FieldValue) => {
    form.set(name, value);
    const next: FormValues = { ...form.values, [name]: value };
    if (!isLocked && !isOtherLoginOn({ ...reply.settings, ...next })) form.set(passwordLogin, true);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused = await form.submit();
    if (!refused) return;
    const control = document.getElementById(`${id}-${refused.firstFault}`);
    control?.scrollIntoView({ block: 'center' });
    control?.focus({ preventScroll: true });
  };

  const draw = (part: SettingsPart) => (
    <Section key={part.title} title={part.title}>
      <div className={styles.part}>
        {part.fields
          .filter((field) => !isHidden(field))
          .map((field) => (
            <FieldRow key={field.name} field={field} form={{ ...form, set }} id={`${id}-${field.name}`} />
          ))}
      </div>
    </Section>
  );

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {parts.slice(0, firstMethod).map(draw)}
      <Section title="Authentication">
        <PasswordLogin
          isEnabled={form.values[passwordLogin] === true}
          isNeeded={!isOtherLoginOn({ ...reply.settings, ...form.values })}
          isLocked={isLocked}
          onChange={(isOn) => form.set(passwordLogin, isOn)}
        />
      </Section>
      {parts.slice(firstMethod).map(draw)}
      <div className={formStyles.actions}>
        <Button type="primary" htmlType="submit" loading={form.isSaving}>
          Save
        </Button>
      </div>
    </form>
  );
}
