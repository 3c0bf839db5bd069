import { usersApi } from '@telltale/domain/users/contract.ts';
import { Alert, Button } from 'antd';
import { useWrite } from '../api/query.ts';
import styles from './EmailNotice.module.css';

/** Screens 3 */
export default function EmailNotice() {
  const resend = useWrite(usersApi.verificationEmail, { saved: ({ message }) => message });
  return (
    <Alert
      type="warning"
      showIcon
      title={
        <div className={styles.notice}>
          <span>
            We have sent an email with a confirmation link to your email address. Please follow the link to verify your email address.
          </span>
          <Button size="small" loading={resend.isPending} onClick={() => resend.mutate({})}>
            Resend email
          </Button>
        </div>
      }
    />
  );
}
