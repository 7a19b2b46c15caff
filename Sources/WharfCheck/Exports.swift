// Files of rules and decoders name paths and decoders.
@_exported public import WharfJSON
@_exported public import WharfJSONFoundation
