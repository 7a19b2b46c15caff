// Without this line, `snapshot.kept?.response?.status` does not compile with `import Wharf` alone
// when MemberImportVisibility is on.
@_exported public import HTTPTypes
