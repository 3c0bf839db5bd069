import ExclamationCircleFilled from '@ant-design/icons/ExclamationCircleFilled';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { absoluteLink } from './absoluteLink.ts';
import styles from './EmailNotSentDialog.module.css';

interface EmailNotSentDialogProps {
  name: string;
  link: string;
  onClose: () => void;
}

/** A8: no mail was sent, so the link has to be sent by hand. */
export function EmailNotSentDialog({ name, link, onClose }: EmailNotSentDialogProps) {
  return (
    <Dialog
      title={
        <span className={styles.title}>
          <ExclamationCircleFilled className={styles.icon} aria-hidden />
          Email not sent!
        </span>
      }
      okText="Close"
      hasCancel={false}
      onClose={onClose}
    >
      <p className={styles.text}>
        The mail server is not configured, please send the following link to <b>{name}</b>:
      </p>
      <CopyField label="Link" value={absoluteLink(link, location.href)} />
    </Dialog>
  );
}
