// `snapshot.kept?.response?.status` must be readable with `import Wharf` alone, also under
// MemberImportVisibility.
@_exported public import HTTPTypes
