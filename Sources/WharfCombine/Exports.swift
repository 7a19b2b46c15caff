// Under MemberImportVisibility an importer could not call `sink` on a publisher of Wharf's without
// this. Where there is neither Combine nor the trait, the module is empty. The trait is tested, not
// `canImport`: that stays true from an older build.
#if canImport(Combine)
@_exported public import Combine
#elseif OpenCombine
@_exported public import OpenCombine
#endif
