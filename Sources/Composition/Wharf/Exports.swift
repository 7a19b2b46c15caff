// Re-exports the modules whose types a first app names. Files that name types of the other modules,
// such as SQLiteDataFile or JSONValue, import these modules.
@_exported public import WharfCore
@_exported public import WharfHTTP
@_exported public import WharfOutbox
@_exported public import WharfRepository
@_exported public import WharfStores
