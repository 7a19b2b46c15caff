public import WharfCore
