export default function TableEditor() {
  return null;
}
