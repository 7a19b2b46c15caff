// Without the re-export, MemberImportVisibility would hide `sink` on Wharf's publishers from
// importers. Without Combine and without the trait the module is empty. The condition tests the
// trait and not `canImport(OpenCombine)`, which stays true after an older build.
#if canImport(Combine)
@_exported public import Combine
#elseif OpenCombine
@_exported public import OpenCombine
#endif
