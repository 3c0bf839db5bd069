import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { useEffect, useState } from 'react';
import { recordEvent } from '../api/events.ts';
import { EmailNotSentDialog } from './EmailNotSentDialog.tsx';
import { NewUserDialog } from './NewUserDialog.tsx';

/** Invites a user; without a mail server the link is shown, to be sent by hand (A8). */
export default function NewUser({ onClose }: { onClose: (isCreated: boolean) => void }) {
  const [created, setCreated] = useState<UserDetail | null>(null);
  const [isAsked, setAsked] = useState(false);

  useEffect(() => recordEvent('view', 'page', 'users/new'), []);

  if (isAsked && created?.invite_link) {
    return <EmailNotSentDialog name={created.name} link={created.invite_link} onClose={() => onClose(true)} />;
  }
  return <NewUserDialog onCreated={setCreated} onClose={() => (created?.invite_link ? setAsked(true) : onClose(created !== null))} />;
}
