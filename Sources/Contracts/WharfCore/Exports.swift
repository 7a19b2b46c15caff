// Without this line, `snapshot.kept?.response?.status` does not compile with `import Wharf` alone
// when MemberImportVisibility is on.
@_exported public import HTTPTypes
// The errors of the contracts, and of most libraries above them, are `CodedError`s.
@_exported public import WharfErrors
